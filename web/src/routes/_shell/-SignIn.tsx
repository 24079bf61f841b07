import { useSearch } from '@tanstack/react-router'
import { SignInScreen } from '#features/account/auth/SignInScreen.tsx'
import { CodeForm } from '#features/account/security/CodeForm.tsx'
import { usePurpose } from './-use-purpose.ts'

/** The sign-in page, used at the paths /signin and /sign-in. */
export function SignIn() {
  const { success, redirect } = useSearch({ strict: false })
  return (
    <SignInScreen
      mailed={success}
      wanted={redirect}
      purpose={usePurpose()}
      secondStep={(session) => <CodeForm session={session} />}
    />
  )
}
