"""Counters for Prometheus. None of them names a person or a table."""

from collections import Counter as Counts

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SHORT = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Metrics:
    """One server's counters."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        registry = self.registry
        self.played: Counts[str] = Counts()
        """Actions since the last look, by game: every step counts one, and a counter of Prometheus takes its time."""
        self._actions = Counter("ludotheque_actions", "Actions played and stored", ["game"], registry=registry)
        self.refused = Counter("ludotheque_refused", "Requests refused", ["code"], registry=registry)
        self.stale = Counter("ludotheque_stale", "Requests answered with the full state", registry=registry)
        self.sockets = Gauge("ludotheque_sockets", "Open sockets", registry=registry)
        self.tables = Gauge("ludotheque_tables", "Tables in memory", registry=registry)
        self.opened = Counter("ludotheque_tables_opened", "Tables opened", ["game"], registry=registry)
        self.commits = Counter("ludotheque_commits", "Transactions written", registry=registry)
        self.commit_seconds = Histogram("ludotheque_commit_seconds", "A commit", buckets=SHORT, registry=registry)
        self.commit_size = Histogram(
            "ludotheque_commit_size",
            "Writings in a commit",
            buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
            registry=registry,
        )
        self.bot_seconds = Histogram(
            "ludotheque_bot_seconds", "A bot's decision, waiting included", buckets=SHORT, registry=registry
        )
        self.workers_lost = Counter("ludotheque_workers_lost", "Worker processes that died", registry=registry)
        self.live_turns = Gauge("ludotheque_live_turns", "Live turns going on", registry=registry)
        self.live_late = Counter("ludotheque_live_late", "Live samples that came late", registry=registry)
        self.leases_lost = Counter("ludotheque_leases_lost", "Tables taken over by another process", registry=registry)

    def add_played(self) -> None:
        """Add what was played since the last look; in the event loop, which counts it."""
        played, self.played = self.played, Counts()
        for game, count in played.items():
            self._actions.labels(game).inc(count)

    def text(self) -> bytes:
        """The metrics in Prometheus' text format."""
        return generate_latest(self.registry)
