import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession } from '#lib/session.ts'
import { PageLoading } from '#ui/Skeletons.tsx'
import { AuthPanel } from './AuthPanel.tsx'
import { NewPasswordForm } from './NewPasswordForm.tsx'
import { ResetRequestForm } from './ResetRequestForm.tsx'
import { SocialSignIn } from './SocialSignIn.tsx'

/** Asks for a reset mail. A signed-in person, for instance by that mail's link, sets a new password instead. */
export function ResetPasswordScreen() {
  const session = useSession()
  if (session.status === 'loading') return <PageLoading />
  if (session.status === 'signed-in')
    return (
      <AuthPanel title="Set a new password" subline={`For ${session.user.email}`}>
        <NewPasswordForm />
      </AuthPanel>
    )
  return (
    <AuthPanel title="Reset your password" subline="Tell us your email and we send you a link.">
      <ResetRequestForm />
      <SocialSignIn />
      <Text ta="center" mt="lg" size="sm">
        Remembered it?{' '}
        <Anchor component={Link} to="/signin" inherit fw={600}>
          Sign in
        </Anchor>
      </Text>
    </AuthPanel>
  )
}
