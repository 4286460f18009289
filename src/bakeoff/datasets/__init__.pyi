from ._load import load as load
from ._load import names as names
from ._load import source as source
