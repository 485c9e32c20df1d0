"""What asv follows over the history of the project: times, memory, losses, agreement with the
truth.

asv imports this package from the folder bench; the problems are found from the root of the
repository.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
