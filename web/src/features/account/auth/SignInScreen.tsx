import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Card, Group, Text } from '@mantine/core'
import type { Session } from '@supabase/supabase-js'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { config } from '#lib/config.ts'
import { useSession } from '#lib/session.ts'
import { isKnownDevice } from '#lib/storage.ts'
import { LinkAnchor } from '#ui/links.tsx'
import { AuthPanel } from './AuthPanel.tsx'
import { CheckMailScreen } from './CheckMailScreen.tsx'
import { ExpiredLink } from './ExpiredLink.tsx'
import { ExternalSignInOnly } from './ExternalSignInOnly.tsx'
import { recallMail } from './mail-sent.ts'
import { PasskeySignIn } from './PasskeySignIn.tsx'
import { takeTarget } from './post-login.ts'
import { SignInForm, useSignInForm, WELCOME } from './SignInForm.tsx'
import { SocialSignIn } from './SocialSignIn.tsx'

// The condition is evaluated at build time, so production builds do not contain the button.
const DevelopmentLogin =
  import.meta.env.DEV || import.meta.env.MODE === 'preview'
    ? lazy(() => import('./DevelopmentLogin.tsx'))
    : null

interface SignInScreenProps {
  /** True if a link has just been mailed to the person. */
  mailed?: boolean | undefined
  /** The `redirect` parameter of the URL, not validated. */
  wanted?: string | undefined
  /** The action for which the person signs in, in words. */
  purpose: string | null
  /** Renders the form for the second factor, after a correct password. */
  secondStep: (session: Session) => ReactNode
}

export function SignInScreen({ secondStep, mailed, ...props }: SignInScreenProps) {
  const session = useSession()
  useLeaveWhenSignedIn()
  if (session.status !== 'signed-out' || !session.halfway) {
    const sent = mailed ? recallMail() : null
    return sent ? <CheckMailScreen sent={sent} purpose={props.purpose} /> : <FirstStep {...props} />
  }
  return (
    <AuthPanel title={t`One more step`} subline={t`Confirm it’s you.`}>
      {secondStep(session.halfway)}
    </AuthPanel>
  )
}

type FirstStepProps = Omit<SignInScreenProps, 'secondStep' | 'mailed'>

/** A separate component, so that the typed password is discarded when this step ends. */
function FirstStep(props: FirstStepProps) {
  // The build prerenders both forms, because it cannot know which browser will open the page.
  if (import.meta.env.SSR)
    return (
      <>
        <div data-device="new">
          <Newcomer {...props} />
        </div>
        <div data-device="known">
          <Returning {...props} />
        </div>
      </>
    )
  return isKnownDevice() || !config().signInByMail ? <Returning {...props} /> : <Newcomer {...props} />
}

/** For a browser in which nobody has signed in yet: one e-mail field, to create an account and to sign in. */
function Newcomer({ wanted, purpose }: FirstStepProps) {
  const signIn = useSignInForm()
  return (
    <AuthPanel
      title={purpose ?? t`Sign in or create your account`}
      aside={<DemoAccounts onChoose={signIn.fill} />}
    >
      <Ways newcomer signIn={signIn} wanted={wanted} />
    </AuthPanel>
  )
}

function Returning({ wanted, purpose }: FirstStepProps) {
  const signIn = useSignInForm()
  const { signInByMail } = config()
  return (
    <AuthPanel
      title={WELCOME.title}
      subline={WELCOME.text}
      purpose={purpose}
      aside={signInByMail && <DemoAccounts onChoose={signIn.fill} />}
    >
      {signInByMail ? (
        <Ways signIn={signIn} wanted={wanted} />
      ) : (
        <>
          <ExternalSignInOnly wanted={wanted} />
          <PasskeySignIn />
        </>
      )}
    </AuthPanel>
  )
}

interface WaysProps {
  signIn: ReturnType<typeof useSignInForm>
  wanted: string | undefined
  newcomer?: boolean
}

/** All ways to sign in to an account. */
function Ways({ signIn, wanted, newcomer = false }: WaysProps) {
  const linkOver = useRouterState({ select: ({ location }) => location.state.linkOver })
  return (
    <>
      {linkOver && <ExpiredLink {...linkOver} />}
      <SignInForm newcomer={newcomer} {...signIn} />
      {/* Passkeys and providers are below the fields: they appear late and would push the fields down. */}
      <PasskeySignIn />
      <SocialSignIn wanted={wanted} />
      {DevelopmentLogin && (
        <Suspense>
          <DevelopmentLogin />
        </Suspense>
      )}
      <Text ta="center" mt="lg" size="sm">
        <Trans>
          Don't have an account?{' '}
          <LinkAnchor to="/signup" inherit fw={600}>
            Sign up
          </LinkAnchor>
        </Trans>
      </Text>
    </>
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

/** The ready-made accounts of a demo site; choosing one fills in the form. */
function DemoAccounts({ onChoose }: { onChoose: (account: Account) => void }) {
  const accounts: Account[] = config().demo
  if (accounts.length === 0) return null
  return (
    <Card component="section" aria-labelledby="demo-accounts" w="100%" maw={440} padding="md" shadow="none">
      <Text id="demo-accounts" fw={600} size="sm" component="h2" m={0} mb="sm">
        {t`Demo accounts`}
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
