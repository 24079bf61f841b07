import { createFileRoute, redirect } from '@tanstack/react-router'
import { rememberReferrer } from '#features/account/auth/post-login.ts'
import { SignUpScreen } from '#features/account/auth/SignUpScreen.tsx'
import { askSession } from '#lib/session.ts'
import { usePurpose } from './-use-purpose.ts'

export const Route = createFileRoute('/_shell/sign-up')({
  beforeLoad: async ({ preload }) => {
    if (!preload) rememberReferrer()
    if (await askSession()) throw redirect({ to: '/home', replace: true })
  },
  component: SignUp,
})

function SignUp() {
  return <SignUpScreen purpose={usePurpose()} />
}
