"""Many situations in, an answer for each out: cases as JSON Lines, or facts over one shape as a table.

Rows are read as they come (`sources`), put together in chunks, answered in this process, in others or by a cluster (`pools`,
`cluster`), and given in their order. What is wrong with a row stands with that row.

Rows over a shape tell few combinations of cells: each is asked once, and the answers of all rows are taken by number (`columns`,
`coded`). `over` has a shape at hand, for rows and columns that a program has.
"""

__all__ = ["many", "over", "sinks", "told"]
