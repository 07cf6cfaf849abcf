UPDATE settings SET value = 14 WHERE key = 'size';
INSERT INTO settings VALUES ('theme', 'dark');
