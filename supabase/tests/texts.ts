// Texts that people may send.
export const MEGABYTE = 'x'.repeat(1_048_576)
export const ZERO_WIDTH = '\u200b\u200d\u2060\ufeff\u00ad\u2800\u3164'
export const BLANK = ' \t\u00a0\u3000'
export const SCRIPT = '<script>alert(1)</script>'
export const FAMILY = '👨‍👩‍👧‍👦'
export const RTL = '\u202eمرحبا\u202c'
