INSERT INTO settings VALUES ('theme', 'light');
