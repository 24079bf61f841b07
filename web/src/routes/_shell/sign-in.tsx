import { createFileRoute } from '@tanstack/react-router'
import { rememberTarget, signInSearch } from '#features/account/auth/post-login.ts'
import { SignInScreen } from '#features/account/auth/SignInScreen.tsx'
import { CodeForm } from '#features/account/security/CodeForm.tsx'
import { PlanInView } from './-PlanInView.tsx'

export const Route = createFileRoute('/_shell/sign-in')({
  validateSearch: signInSearch,
  beforeLoad: ({ search, location, preload }) => {
    if (!preload) rememberTarget(search.redirect, search.from, location.state.from)
  },
  component: SignIn,
})

function SignIn() {
  const { success, redirect } = Route.useSearch()
  return (
    <SignInScreen
      justSignedUp={success}
      wanted={redirect}
      about={<PlanInView />}
      secondStep={(session) => <CodeForm session={session} />}
    />
  )
}
