CREATE TABLE t (
  n INT,
  a INT,
  b INT
);
