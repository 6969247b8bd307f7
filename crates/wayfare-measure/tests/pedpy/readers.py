"""Reads the trajectories of one run by the programs that they are made for.

    python readers.py RUN

There are RUN.csv, RUN.parquet, RUN.sqlite and RUN.txt of the same run. PedPy reads the last two, and
the Parquet by way of pandas; pandas, DuckDB and polars read the Parquet with the types that are
expected. All must have the positions of the CSV.
"""

import pathlib
import sys

import duckdb
import numpy
import pandas
import pedpy
import polars

# The columns of Parquet, and their types in DuckDB and polars.
TYPES = {
    "tick": ("BIGINT", polars.Int64),
    "time": ("DOUBLE", polars.Float64),
    "id": ("UINTEGER", polars.UInt32),
    "group": ("VARCHAR", polars.String),
    "x": ("FLOAT", polars.Float32),
    "y": ("FLOAT", polars.Float32),
    "vx": ("FLOAT", polars.Float32),
    "vy": ("FLOAT", polars.Float32),
    "radius": ("FLOAT", polars.Float32),
    "fx": ("FLOAT", polars.Float32),
    "fy": ("FLOAT", polars.Float32),
    "state": ("VARCHAR", polars.String),
}
PLACES = ["tick", "id", "x", "y"]


def check(holds, what):
    if not holds:
        sys.exit(f"readers.py: {what}")


def main():
    run = pathlib.Path(sys.argv[1])
    path = {ending: run.with_suffix(f".{ending}") for ending in ["csv", "parquet", "sqlite", "txt"]}
    expected = pandas.read_csv(path["csv"])[PLACES]

    def same(name, found, tolerance=0.0):
        """Whether the frame has the rows of the CSV."""
        check(len(found) == len(expected), f"{name}: {len(found)} rows instead of {len(expected)}")
        for column in PLACES:
            a, b = found[column].to_numpy(), expected[column].to_numpy()
            # The CSV has the digits of single precision.
            far = numpy.abs(a.astype(numpy.float32) - b.astype(numpy.float32)).max()
            check(far <= tolerance, f"{name}: `{column}` differs by {far}")
        print(f"{name}: {len(found)} rows")

    by_pandas = pandas.read_parquet(path["parquet"])
    check(list(by_pandas.columns) == list(TYPES), f"pandas: the columns {list(by_pandas.columns)}")
    same("pandas, Parquet", by_pandas)

    query = f"FROM '{path['parquet']}'"
    types = dict((row[0], row[1]) for row in duckdb.sql(f"DESCRIBE {query}").fetchall())
    check(types == {name: both[0] for name, both in TYPES.items()}, f"DuckDB: the types {types}")
    same("DuckDB, Parquet", duckdb.sql(query).df())
    last = int(expected["tick"].max())
    count = duckdb.sql(f"SELECT count(*) {query} WHERE tick = {last}").fetchall()[0][0]
    check(count == (expected["tick"] == last).sum(), f"DuckDB: {count} rows of tick {last}")

    by_polars = polars.read_parquet(path["parquet"])
    types = dict(by_polars.schema)
    check(types == {name: both[1] for name, both in TYPES.items()}, f"polars: the types {types}")
    same("polars, Parquet", by_polars)

    def of_pedpy(name, trajectory, tolerance):
        frames = trajectory.data.sort_values(["frame", "id"], ignore_index=True)
        same(f"PedPy, {name}", frames.rename(columns={"frame": "tick"}), tolerance)

    of_pedpy("SQLite", pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=path["sqlite"]), 0.0)
    area = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=path["sqlite"])
    check(area.area > 0, "PedPy: the walkable area is empty")
    of_pedpy("text", pedpy.load_trajectory_from_txt(trajectory_file=path["txt"]), 1e-5)
    frames = by_pandas.rename(columns={"tick": "frame"})[["id", "frame", "x", "y"]]
    rate = 1 / (by_pandas["time"].max() / by_pandas["tick"].max())
    of_pedpy("Parquet by way of pandas", pedpy.TrajectoryData(data=frames, frame_rate=rate), 0.0)


if __name__ == "__main__":
    main()
