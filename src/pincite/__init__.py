"""pincite: answers from your own documents with pinpoint citations, or NOT_FOUND."""

__version__ = "0.1.0"
