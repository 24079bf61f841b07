import { toastError, toastInfo } from '#ui/toasts.ts'

// What every page may have to say about the session, apart from the forms' sentences, which few pages need.

export const saySessionExpired = () =>
  toastError('Session expired', 'Your login session has expired. Please sign in again.')

export const sayWelcome = (name: string) =>
  toastInfo(name ? `Welcome, ${name}` : 'Welcome', 'Good to see you at the table.')
