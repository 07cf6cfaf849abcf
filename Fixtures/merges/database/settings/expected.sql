UPDATE settings SET value = 14 WHERE key = 'size';
UPDATE settings SET value = 'Sans' WHERE key = 'font';
INSERT INTO settings VALUES ('theme', 'dark');
