"""Tables of Arrow, as pyarrow and polars read them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from conftest import crowd_of

import pleach

TREE = """
action go()
enum Mood { calm, wary }
var ammo: int8 = 6
var seen: bool
var far: float
var wide: int64
var exact: double
var foe: entity
var name: text = "Rex"
var mood: Mood = wary
world var alarm: bool
tree main { action go }
"""


@pytest.fixture
def crowd(host: pleach.Host) -> pleach.Crowd:
    host.scripted("go")
    crowd = crowd_of(TREE, host, agents=600)
    crowd.despawn(crowd.ids[3])
    crowd["ammo"] = np.arange(599) % 100
    crowd["seen"] = np.arange(599) % 3 == 0
    crowd["far"] = np.arange(599) / 4
    crowd["wide"] = 2**62 + np.arange(599)
    crowd["exact"] = 0.1
    crowd["foe"] = 2**64 - 1
    return crowd


def test_a_table_has_the_ids_and_the_variables_of_agents(crowd: pleach.Crowd) -> None:
    table = crowd.table()
    own = [name for name, variable in crowd.program.variables.items() if variable.scope == "agent"]
    assert table.columns == ["id", *own] and set(own) > {"ammo", "seen", "mood"}
    assert len(table) == 599 and "599 agents" in repr(table)
    assert crowd.table("mood", "ammo").columns == ["id", "mood", "ammo"]
    with pytest.raises(KeyError):
        crowd.table("nothing")
    with pytest.raises(KeyError):
        crowd.table("alarm")
    with pytest.raises(pleach.PleachError, match="two columns"):
        crowd.table("ammo", "ammo")


def test_a_table_is_not_changed_by_ticks(crowd: pleach.Crowd) -> None:
    pyarrow: Any = pytest.importorskip("pyarrow")
    table = crowd.table("ammo")
    crowd["ammo"] = 0
    crowd.tick(0)
    ammo = pyarrow.table(table)["ammo"].to_numpy()
    np.testing.assert_array_equal(ammo, np.arange(599) % 100)


def test_pyarrow_reads_all_types(crowd: pleach.Crowd) -> None:
    pyarrow: Any = pytest.importorskip("pyarrow")
    table = crowd.table()
    read = pyarrow.table(table)
    for name in table.columns:
        expected = crowd.ids if name == "id" else crowd[name]
        column = read[name].to_numpy()
        assert column.dtype == expected.dtype, name
        np.testing.assert_array_equal(column, expected)
    assert pyarrow.schema(table) == read.schema
    assert pyarrow.record_batch(table).num_rows == 599
    # A capsule that nobody reads frees its part of the table.
    assert [table.__arrow_c_schema__(), table.__arrow_c_stream__(), *table.__arrow_c_array__()]


def test_polars_reads_a_table(crowd: pleach.Crowd) -> None:
    polars: Any = pytest.importorskip("polars")
    frame = polars.DataFrame(crowd.table("ammo", "seen"))
    assert frame.shape == (599, 3)
    np.testing.assert_array_equal(frame["seen"].to_numpy(), crowd["seen"])
    assert frame.filter(polars.col("seen"))["ammo"].sum() == crowd["ammo"][crowd["seen"]].sum()


def test_duckdb_reads_a_table(crowd: pleach.Crowd) -> None:
    duckdb: Any = pytest.importorskip("duckdb")
    agents = crowd.table()
    columns = "sum(ammo), count(*) FILTER (WHERE seen), max(wide), min(foe), any_value(name)"
    found = duckdb.sql(f"SELECT {columns} FROM agents").fetchall()
    ammo, seen = int(crowd["ammo"].sum()), int(crowd["seen"].sum())
    assert found == [(ammo, seen, 2**62 + 598, 2**64 - 1, crowd["name"][0])]
    assert len(agents) == 599


def test_pandas_reads_a_table(crowd: pleach.Crowd) -> None:
    pandas: Any = pytest.importorskip("pandas")
    pyarrow: Any = pytest.importorskip("pyarrow")
    table = crowd.table()
    # Pandas reads tables of Arrow itself from version 3 on.
    from_arrow = getattr(pandas.DataFrame, "from_arrow", lambda it: pyarrow.table(it).to_pandas())
    frame = from_arrow(table)
    assert list(frame.columns) == table.columns and len(frame) == 599
    for name in table.columns:
        expected = crowd.ids if name == "id" else crowd[name]
        np.testing.assert_array_equal(frame[name].to_numpy(), expected)


def test_an_empty_crowd_has_an_empty_table(host: pleach.Host) -> None:
    host.scripted("go")
    table = crowd_of(TREE, host, agents=0).table()
    assert len(table) == 0 and len(table.columns) == 9
