import { createFileRoute } from '@tanstack/react-router'
import { rememberTarget, signInSearch } from '#features/account/auth/post-login.ts'
import { SignIn } from './-SignIn.tsx'

export const Route = createFileRoute('/_shell/signin')({
  validateSearch: signInSearch,
  beforeLoad: ({ search, location, preload }) => {
    if (!preload) rememberTarget(search.redirect, search.from, location.state.from)
  },
  component: SignIn,
})
