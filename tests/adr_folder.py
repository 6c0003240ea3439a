"""A team's folder of decision records, written for these tests: MADR, Nygard, an older MADR, plain.

The words are nobody else's; the shapes are those of real folders.
"""

MADR = """---
# the usual head
status: accepted
date: 2024-03-07
decision-makers: [Ines, Bo]
consulted:
  - the platform team
informed: everyone on call
---

# Keep the job queue in PostgreSQL

## Context and Problem Statement

Jobs were lost whenever the broker restarted. Which store should hold them?

<!-- This is an optional element. -->
## Decision Drivers

* no second system to run at night

## Considered Options

* RabbitMQ with mirrored queues
* A table in PostgreSQL

## Decision Outcome

Chosen option: "A table in PostgreSQL", because a job then commits with the row that asked for it.

### Consequences

* Bad, because polling costs a query a second.
"""

NYGARD = """# 12. Ship one binary

Date: 2023-11-02

## Status

Accepted

Superseded by [14. Ship a container](0014-ship-a-container.md)

## Context

Users asked for one download that runs without an interpreter.

## Decision

We link everything statically and ship one binary.

## Consequences

It weighs 40 MB, and a security fix in a library means a release.
"""

OLDER_MADR = """# ADR-0003: Name topics after events

* Status: proposed
* Deciders: Bo, Mira
* Date: 2021-05-30

## Context and Problem Statement

Consumers guess what a topic carries.

## Decision Outcome

Chosen option: topics are called after the event they carry, in the past tense.
"""

PLAIN = """# Serve images from the edge cache

We compared three ways and took the cache in front of the bucket: egress was the largest bill.
"""

NAMES = ("0003-topics.md", "0012-ship-one-binary.md", "0013-job-queue.md", "0015-edge-cache.md")
FOLDER = dict(zip(NAMES, (OLDER_MADR, NYGARD, MADR, PLAIN), strict=True))
FOLDER["README.md"] = "# Decisions\n\nHow we decide.\n"
