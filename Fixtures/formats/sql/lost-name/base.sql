CREATE TABLE t (
  a INT,
  age INT,
  b INT
);

