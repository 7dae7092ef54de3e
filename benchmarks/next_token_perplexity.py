"""Claim: `next-token` by words beats an interpolated Kneser-Ney trigram's perplexity, on the same text with the same
vocabulary.

    python benchmarks/next_token_perplexity.py TRAIN TEST --model runs/next-token

Prints the baseline's perplexity and, where `--model` names a run's folder, the model's and their ratio. The folder's
settings decide the vocabulary.
The baseline is the modified Kneser-Ney of Chen and Goodman (1998), orders 3, 2, 1 interpolated down to the uniform
distribution, three discounts an order,
estimated from counts of counts; contexts begin at each line, as the model's do. Its probabilities sum to one (`--prove`
checks 20 contexts).
"""

import argparse
import math
from collections import Counter, defaultdict
from pathlib import Path

from shapewright.recipes.data import text_file
from shapewright.recipes.data.vocabulary import END, PAD, Vocabulary


class KneserNey:
    """An interpolated model of orders 3 to 1 over token numbers; PAD never occurs."""

    def __init__(self, lines: list[list[int]], size: int) -> None:
        self.size = size - 1
        counts = [Counter(), Counter(), Counter()]
        for line in lines:
            padded = [END, *line]
            for place in range(2, len(padded)):
                counts[2][tuple(padded[place - 2 : place + 1])] += 1
        # Lower orders count in how many contexts a word was seen, not how often.
        for order in (1, 0):
            for gram in counts[order + 1]:
                counts[order][gram[1:]] += 1
        self.counts = counts
        self.discounts = [discounts(count) for count in counts]
        self.totals = [defaultdict(int) for _ in counts]
        self.seen = [defaultdict(lambda: [0, 0, 0]) for _ in counts]
        for order, count in enumerate(counts):
            for gram, number in count.items():
                self.totals[order][gram[:-1]] += number
                self.seen[order][gram[:-1]][min(number, 3) - 1] += 1

    def probability(self, gram: tuple[int, ...]) -> float:
        """Of the last token given those before it."""
        if not gram:
            return 1 / self.size
        order, context = len(gram) - 1, gram[:-1]
        lower = self.probability(gram[1:])
        total = self.totals[order].get(context, 0)
        if not total:
            return lower
        discount = self.discounts[order]
        number = self.counts[order].get(gram, 0)
        own = max(number - discount[min(number, 3) - 1], 0) / total if number else 0.0
        freed = sum(amount * seen for amount, seen in zip(discount, self.seen[order][context])) / total
        return own + freed * lower


def discounts(count: Counter) -> tuple[float, float, float]:
    """D1, D2, D3+ from the numbers of grams seen once to four times."""
    n1, n2, n3, n4 = (max(1, sum(1 for number in count.values() if number == times)) for times in (1, 2, 3, 4))
    y = n1 / (n1 + 2 * n2)
    return 1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3


def perplexity(model: KneserNey, lines: list[list[int]]) -> float:
    """Per token, the end of a line included."""
    total, tokens = 0.0, 0
    for line in lines:
        padded = [END, *line]
        for place in range(2, len(padded)):
            total -= math.log(model.probability(tuple(padded[place - 2 : place + 1])))
            tokens += 1
    return math.exp(total / tokens)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--min-count", type=int, default=2)
    parser.add_argument("--model", type=Path, help="folder of a run of next-token on the same files")
    parser.add_argument("--prove", action="store_true", help="check that probabilities sum to one")
    args = parser.parse_args()
    state = None
    if args.model:
        from shapewright.recipes.loop.checkpoint import read_state

        state = read_state(args.model / "best.safetensors")
        args.min_count = state["args"]["min_count"]
    train, test = text_file.column(args.train), text_file.column(args.test)
    vocabulary = Vocabulary.of(train, "word", args.min_count)
    baseline = KneserNey([vocabulary.encode(line) for line in train], len(vocabulary))
    if args.prove:
        for context in list(baseline.totals[2])[:20]:
            total = sum(baseline.probability((*context, word)) for word in range(len(vocabulary)) if word != PAD)
            assert abs(total - 1) < 1e-9, total
    lines = [vocabulary.encode(line) for line in test]
    tokens = sum(len(line) - 1 for line in lines)
    score = perplexity(baseline, lines)
    print(f"vocabulary {len(vocabulary):,} · test tokens {tokens:,}\nKneser-Ney trigram  perplexity {score:8.2f}")
    if state:
        model = state["metrics"]["test_perplexity"]
        print(f"next-token          perplexity {model:8.2f}\nratio {model / score:.3f} (target below 1)")


if __name__ == "__main__":
    main()
