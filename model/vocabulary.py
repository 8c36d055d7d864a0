"""Trains the WordPiece vocabulary on mined text in the encoder's normal form.

usage: vocabulary.py PAIRS.jsonl OUT.json [EVERY]   (of code one pair in EVERY is read, 4 by default;
of prose all, or its words would be spelled in pieces)
"""
import json
import sys

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

SIZE = 36_000
PROSE = {"gloss", "heading", "sentence", "comment", "manual"}


def texts(path, every):
    with open(path) as lines:
        for index, line in enumerate(lines):
            row = json.loads(line)
            if row[0] in PROSE or index % every == 0:
                yield row[2] + " " + row[3]


def main():
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 4
    model = models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100)
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(vocab_size=SIZE, min_frequency=8, limit_alphabet=120,
                                        special_tokens=["[PAD]", "[UNK]"], show_progress=False)
    tokenizer.train_from_iterator(texts(sys.argv[1], every), trainer)
    tokenizer.save(sys.argv[2])
    print("tokens", tokenizer.get_vocab_size())


if __name__ == "__main__":
    main()
