"""Reading games that the report packed."""

import base64
import gzip
import json


def unpack(game):
    return json.loads(gzip.decompress(base64.b64decode(game.data)))


def frame(packed, number):
    return "".join(packed["parts"][part] for part in packed["frames"][number])
