#!/usr/bin/env python3
"""Writes WordNet's noun hierarchy as triples: make_wordnet.py [DATA_NOUN] > wordnet.tsv

Source: WordNet 3.0 (Princeton University), as in Debian's package wordnet-base. A synset is named by its first word, and
by its offset too where another synset has the same first word. Of several hypernyms or wholes the first one is taken.
"""
import collections
import sys

RELATIONS = {"@": "hypernym", "@i": "hypernym", "#p": "whole"}


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordnet/data.noun"
    synsets = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("  "):  # the licence
                continue
            fields = line.split("|")[0].split()
            words = int(fields[3], 16)
            pointers = fields[5 + 2 * words:]
            edges = {}
            for i in range(int(fields[4 + 2 * words])):
                symbol, offset, part_of_speech = pointers[4 * i:4 * i + 3]
                if symbol in RELATIONS and part_of_speech == "n":
                    edges.setdefault(RELATIONS[symbol], offset)
            synsets[fields[0]] = (fields[4].replace("_", " "), edges)
    uses = collections.Counter(word for word, _ in synsets.values())
    name = {offset: word if uses[word] == 1 else f"{word} ({offset})" for offset, (word, _) in synsets.items()}
    print("# WordNet 3.0, Princeton University; nouns. Written by make_wordnet.py from Debian's wordnet-base.")
    print("head\trelation\ttail")
    for offset, (_, edges) in synsets.items():
        for relation, target in edges.items():
            print(f"{name[offset]}\t{relation}\t{name[target]}")


main()
