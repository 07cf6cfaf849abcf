UPDATE settings SET value = 1.0 WHERE key = 'size';
