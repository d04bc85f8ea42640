//! Scripted worlds and the conformance suites of the ports.
