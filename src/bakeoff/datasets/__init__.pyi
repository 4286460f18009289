from ._load import load as load, names as names, source as source
