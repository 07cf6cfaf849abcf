CREATE TABLE a (
  x int
);

CREATE TABLE b (
  x int
);

CREATE TABLE c (
  x int
);

