"""What LangGraph's loop costs a round, beside which `cargo bench -p elenchus-evals --bench speed -- run` is read.

    pip install langgraph langgraph-checkpoint-sqlite
    python bench_langgraph.py [ROUNDS] [RUNS]

The same shape of run as ours: plan, then rounds of search, read, reflect, gap analysis beside fact extraction, and
follow-up, then the draft. The model is instant and fake; searching and reading return fixed lists. Checkpoints go to
memory, and to SQLite with `synchronous=FULL` and every step written before the next begins.
"""

import json
import operator
import sqlite3
import statistics
import sys
import tempfile
import time
from typing import Annotated, TypedDict

from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph

REPLY = json.dumps({"is_sufficient": False, "answered": [], "open": [1], "queries": ["tide height spring", "tide table"]})
PASSAGE = "The harbour tide can rise four metres far into spring, and the keeper writes it down. " * 4


class State(TypedDict):
    question: str
    round: int
    queries: list
    passages: Annotated[list, operator.add]
    facts: Annotated[list, operator.add]
    gaps: dict
    answer: str


def graph(rounds, saver):
    model = FakeListChatModel(responses=[REPLY])

    def ask(task, state):
        text = f"{task}: {state['question']}\n" + "\n".join(state["passages"][-10:])
        return json.loads(model.invoke(text).content)

    def plan(state):
        return {"queries": ask("plan", state)["queries"], "round": 0, "gaps": {}}

    def search(state):
        return {"round": state["round"] + 1, "queries": [f"{query} {state['round']}" for query in state["queries"][:2]]}

    def read(state):
        return {"passages": [f"{query}: {PASSAGE}" for query in state["queries"]]}

    def reflect(state):
        ask("reflect", state)
        return {}

    def analyze_gaps(state):
        ask("gaps", state)
        return {"gaps": {"g1": state["round"]}}

    def extract_facts(state):
        ask("facts", state)
        return {"facts": [state["passages"][-1][:80]]}

    def follow_up(state):
        return {"queries": ask("follow up", state)["queries"]}

    def draft(state):
        ask("draft", state)
        return {"answer": " ".join(state["facts"])}

    built = StateGraph(State)
    for node in (plan, search, read, reflect, analyze_gaps, extract_facts, follow_up, draft):
        built.add_node(node.__name__, node)
    built.add_edge(START, "plan")
    built.add_edge("plan", "search")
    built.add_edge("search", "read")
    built.add_edge("read", "reflect")
    built.add_edge("reflect", "analyze_gaps")
    built.add_edge("reflect", "extract_facts")
    built.add_edge(["analyze_gaps", "extract_facts"], "follow_up")
    built.add_conditional_edges("follow_up", lambda state: "draft" if state["round"] >= rounds else "search")
    built.add_edge("draft", END)
    return built.compile(checkpointer=saver)


def measure(name, rounds, runs, saver):
    compiled = graph(rounds, saver)
    times = []
    for run in range(runs + 1):
        config = {"configurable": {"thread_id": f"{name}{run}"}, "recursion_limit": 20 * rounds}
        begin = time.perf_counter()
        compiled.invoke({"question": "How far does the harbour tide rise in spring?"}, config, durability="sync")
        times.append((time.perf_counter() - begin) * 1000)
    # The first one warms up.
    median = statistics.median(times[1:])
    print(f"{name}: {median:.2f} ms a run of {rounds} rounds, {median / rounds:.3f} ms a round (median of {runs})")


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    measure("memory", rounds, runs, InMemorySaver())
    with tempfile.TemporaryDirectory() as folder:
        connection = sqlite3.connect(f"{folder}/checkpoints.db", check_same_thread=False)
        saver = SqliteSaver(connection)
        saver.setup()
        connection.execute("PRAGMA synchronous=FULL")
        measure("sqlite, synced", rounds, runs, saver)


main()
