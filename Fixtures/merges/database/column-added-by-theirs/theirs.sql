ALTER TABLE tasks ADD COLUMN due TEXT DEFAULT 'never';
UPDATE tasks SET due = '2026-05-01' WHERE id = 1;
CREATE INDEX by_due ON tasks (due);
