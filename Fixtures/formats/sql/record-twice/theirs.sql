CREATE TABLE t (
  a INT,
  b INT
  n TEXT,
);
