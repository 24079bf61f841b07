/** The eye beside a password can be reached by keyboard and says what it does. */
export const passwordToggle = { 'aria-label': 'Show or hide the password', tabIndex: 0, size: 36 }
