"""What to tell people about pictures of text."""

HOW_TO_OCR = "To read pictures of text here on this machine: pip install 'pincite[ocr]'"
NOTHING_SEEN = "The recogniser saw no text on the pages."
