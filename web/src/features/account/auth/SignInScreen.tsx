import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Card, Group, Text } from '@mantine/core'
import type { Session } from '@supabase/supabase-js'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { config } from '#lib/config.ts'
import { useSession } from '#lib/session.ts'
import { LinkAnchor } from '#ui/links.tsx'
import { AuthPanel } from './AuthPanel.tsx'
import { CheckMailScreen } from './CheckMailScreen.tsx'
import { ExpiredLink } from './ExpiredLink.tsx'
import { ExternalSignInOnly } from './ExternalSignInOnly.tsx'
import { recallMail } from './mail-sent.ts'
import { PasskeySignIn } from './PasskeySignIn.tsx'
import { takeTarget } from './post-login.ts'
import { SignInForm, useSignInForm } from './SignInForm.tsx'
import { SocialSignIn } from './SocialSignIn.tsx'

// The condition is evaluated at build time, so production builds do not contain the button.
const DevelopmentLogin =
  import.meta.env.DEV || import.meta.env.MODE === 'preview'
    ? lazy(() => import('./DevelopmentLogin.tsx'))
    : null

interface SignInScreenProps {
  /** A link has just been mailed to the person. */
  mailed?: boolean | undefined
  /** The redirect parameter of the address, not validated. */
  wanted?: string | undefined
  /** A summary of the page the person was going to. */
  about: ReactNode
  /** Renders the form for the second factor, after a correct password. */
  secondStep: (session: Session) => ReactNode
}

export function SignInScreen({ secondStep, mailed, ...props }: SignInScreenProps) {
  const session = useSession()
  useLeaveWhenSignedIn()
  if (session.status !== 'signed-out' || !session.halfway) {
    const sent = mailed ? recallMail() : null
    return sent ? <CheckMailScreen sent={sent} /> : <FirstStep {...props} />
  }
  return (
    <AuthPanel title={t`One more step`} subline={t`Confirm it’s you.`}>
      {secondStep(session.halfway)}
    </AuthPanel>
  )
}

/** A component separate from the screen, so that the typed password is discarded when this step ends. */
function FirstStep({ wanted, about }: Omit<SignInScreenProps, 'secondStep' | 'mailed'>) {
  const signIn = useSignInForm()
  const { demo, signInByMail } = config()
  const linkOver = useRouterState({ select: ({ location }) => location.state.linkOver })
  return (
    <AuthPanel
      title={t`Welcome Back`}
      subline={t`Your place at the table is still warm.`}
      aside={signInByMail && demo.length > 0 && <DemoAccounts accounts={demo} onChoose={signIn.fill} />}
    >
      {about}
      {signInByMail && linkOver && <ExpiredLink {...linkOver} />}
      {signInByMail ? <SignInForm {...signIn} /> : <ExternalSignInOnly wanted={wanted} />}
      {/* Passkeys and providers are below the fields: they appear late and would push the fields down. */}
      <PasskeySignIn />
      {signInByMail && <SocialSignIn wanted={wanted} />}
      {DevelopmentLogin && (
        <Suspense>
          <DevelopmentLogin />
        </Suspense>
      )}
      {signInByMail && (
        <Text ta="center" mt="lg" size="sm">
          <Trans>
            Don't have an account?{' '}
            <LinkAnchor to="/signup" inherit fw={600}>
              Sign up
            </LinkAnchor>
          </Trans>
        </Text>
      )}
    </AuthPanel>
  )
}

/** Navigates to the remembered target after sign-in, exactly once. */
function useLeaveWhenSignedIn(): void {
  const { status } = useSession()
  const navigate = useNavigate()
  const left = useRef(false)
  useEffect(() => {
    if (status !== 'signed-in' || left.current) return
    left.current = true
    void navigate({ href: takeTarget(), replace: true })
  }, [status, navigate])
}

interface Account {
  email: string
  password: string
}

/** Ready-made accounts of a demo; choosing one fills in the form. */
function DemoAccounts({ accounts, onChoose }: { accounts: Account[]; onChoose: (account: Account) => void }) {
  return (
    <Card component="section" aria-labelledby="demo-accounts" w="100%" maw={440} padding="md" shadow="none">
      <Text id="demo-accounts" fw={600} size="sm" component="h2" m={0}>
        {t`Demo accounts`}
      </Text>
      <Text size="sm" c="dimmed" mb="sm">
        {t`Choose a demo account, then sign in.`}
      </Text>
      <Group gap="xs">
        {accounts.map((account) => (
          <Button
            key={account.email}
            variant="default"
            fw={500}
            fz="sm"
            px="sm"
            onClick={() => onChoose(account)}
          >
            {account.email}
          </Button>
        ))}
      </Group>
    </Card>
  )
}
