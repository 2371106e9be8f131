"""A store of the graph, in this process or at an endpoint, and the questions put to it: SPARQL, named queries, one resource.

A stranger's query is looked at first, and runs in a process of its own that can be ended.
"""

__all__ = ["guard", "named_queries", "remote", "resource", "results", "sparql", "store"]
