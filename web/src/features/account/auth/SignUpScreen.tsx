import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { config } from '#lib/config.ts'
import { LinkAnchor } from '#ui/links.tsx'
import { AccountForm } from './AccountForm.tsx'
import { AuthPanel } from './AuthPanel.tsx'
import { signUp } from './auth.mutations.ts'
import { ExternalSignInOnly } from './ExternalSignInOnly.tsx'
import { InvitedOnly } from './InvitedOnly.tsx'
import { rememberMail } from './mail-sent.ts'
import { recallTarget, takeTarget } from './post-login.ts'
import { SocialSignIn } from './SocialSignIn.tsx'

/** `purpose` is the action for which the person signs up, in words. */
export function SignUpScreen({ purpose }: { purpose: string | null }) {
  const target = recallTarget()
  const wanted = target === '/' ? undefined : target
  return (
    <AuthPanel
      title={t`Create Your Account`}
      subline={t`Pull up a chair. It takes a minute.`}
      purpose={purpose}
      mood="excited"
    >
      {config().signInByMail ? (
        <>
          <InvitedOnly />
          <SignUpForm />
          <SocialSignIn wanted={wanted} />
        </>
      ) : (
        <ExternalSignInOnly wanted={wanted} />
      )}
      <Text ta="center" mt="lg" size="sm">
        <Trans>
          Already have an account?{' '}
          <LinkAnchor to="/signin" inherit fw={600}>
            Sign in
          </LinkAnchor>
        </Trans>
      </Text>
    </AuthPanel>
  )
}

function SignUpForm() {
  const navigate = useNavigate()
  return (
    <AccountForm
      action={t`Create account`}
      working={t`Creating account...`}
      create={async ({ name, email, password }) => {
        if (await signUp(name, email, password)) {
          rememberMail({ email, kind: 'account', name, from: '/signup' })
          await navigate({ to: '/signin', search: { success: true } })
        } else await navigate({ href: takeTarget(), replace: true })
      }}
    />
  )
}
