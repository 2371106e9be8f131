"""Search beats plain keyword search on judged queries, and what is judged is there."""

from __future__ import annotations

import pytest

from bench import bench_search
from kb.search.index import current

pytestmark = pytest.mark.usefixtures("home")


def test_sixty_queries_are_judged_and_what_is_judged_exists() -> None:
    judged = bench_search.judged()
    known = {bench_search.key(d) for d in current().documents}
    assert len(judged) == 60
    assert [t for grades in judged.values() for t in grades if t not in known] == []
    assert all(3 in grades.values() for grades in judged.values())


def test_search_is_good_and_better_than_keywords() -> None:
    ours, plain = bench_search.mean(bench_search.scores())
    assert ours >= 0.75 and ours >= plain + 0.15


def test_the_measure_knows_a_bad_order() -> None:
    """Planted: an answer backwards, and no answer."""
    grades = {"a": 3, "b": 1}
    assert bench_search.ndcg(["a", "b"], grades) == 1.0
    assert 0 < bench_search.ndcg(["x", "b", "a"], grades) < bench_search.ndcg(["b", "a"], grades) < 1
    assert bench_search.ndcg([], grades) == 0
