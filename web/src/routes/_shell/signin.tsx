import { createFileRoute } from '@tanstack/react-router'
import { rememberTarget } from '#features/auth/post-login.ts'
import { SignInScreen } from '#features/auth/SignInScreen.tsx'
import { signInSearch } from '#features/auth/sign-in-search.ts'
import { CodeForm } from '#features/second-factor/CodeForm.tsx'
import { PlanInView } from './-PlanInView.tsx'

export const Route = createFileRoute('/_shell/signin')({
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
