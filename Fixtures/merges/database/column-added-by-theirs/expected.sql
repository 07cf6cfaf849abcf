ALTER TABLE tasks ADD COLUMN due TEXT DEFAULT 'never';
UPDATE tasks SET due = '2026-05-01', done = 1 WHERE id = 1;
INSERT INTO tasks VALUES (4, 2, 'Rake', 0, 'never');
CREATE INDEX by_due ON tasks (due);
