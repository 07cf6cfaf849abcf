UPDATE log SET what = 'began' WHERE at = '09:00';
