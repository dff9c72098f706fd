"""Outside programs as agents: their protocols, and the sandbox that they run in."""
