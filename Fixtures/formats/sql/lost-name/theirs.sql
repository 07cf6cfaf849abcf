CREATE TABLE t (
  a INT,
  age INT,
  b INT
);

CREATE INDEX i ON t (age);
