"""`python -m pincite`"""

from pincite.faces.cli import main

main()
