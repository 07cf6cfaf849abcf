UPDATE settings SET value = 'Sans' WHERE key = 'font';
INSERT INTO settings VALUES ('theme', 'dark');
