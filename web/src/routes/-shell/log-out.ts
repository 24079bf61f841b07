import { saySignOutFailed } from '#features/account/auth/auth.messages.ts'
import { signOut } from '#features/account/auth/auth.mutations.ts'
import { leave } from '#lib/session.ts'

/** Ends the session on every device, and says so if that failed. */
export const logOut = () => leave(signOut).catch(saySignOutFailed)
