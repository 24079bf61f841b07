import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { hasImprint, operatorQuery } from '#features/account/sellers/operator.queries.ts'
import { useSendTestMail } from '#features/staff/mails/mails.ts'
import { config } from '#lib/config.ts'
import { showsSecondFactor, useSession, useUser } from '#lib/session.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { Leads } from '#ui/leads.ts'
import { LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { OperatorSettings } from './OperatorSettings.tsx'
import { SharingSettings } from './SharingSettings.tsx'
import { SignUpSetting } from './SiteSettings.tsx'
import { siteSettingsTexts } from './site-settings.messages.ts'
import { siteSettingsQuery } from './site-settings.queries.ts'

/** What the first super-admin of a new site decides at once. All of it can be changed later in the administration. */
export function SetUpSite() {
  const session = useSession()
  const { email } = useUser()
  const settings = useQuery(siteSettingsQuery)
  const { data: operator } = useQuery(operatorQuery)
  const isNamed = operator !== undefined && hasImprint(operator)
  const test = useSendTestMail()
  const { signInByMail, signInWith } = config()
  const providers = signInWith.map(({ name }) => name).join(', ')
  return (
    <>
      <PageTitle title={t`Set up this site`}>
        {t`You’re its administrator now. Everything here can be changed later, under Settings and Emails.`}
      </PageTitle>
      <Stack gap="lg">
        {session.status === 'signed-in' && !showsSecondFactor(session.session.access_token) && (
          <SectionCard titleId="protect-title" title={t`Protect your account`} align="flex-start" maw={640}>
            <Text>{t`On a site that others can reach, money, roles and settings need two-step sign-in or a passkey.`}</Text>
            <LinkButton to="/account-settings/security" variant="default">
              {t`Open security settings`}
            </LinkButton>
          </SectionCard>
        )}
        <Leads value={!isNamed}>
          <OperatorSettings />
        </Leads>
        <SectionCard titleId="sign-ups-title" title={t`Who may sign up`} maw={640}>
          {signInByMail ? (
            <Loaded of={settings} rows={1} failed={siteSettingsTexts.loadFailed}>
              {({ signUps }) => <SignUpSetting signUps={signUps} disabled={false} />}
            </Loaded>
          ) : (
            <Text>
              <Trans>Only people with an account at {providers}.</Trans>
            </Text>
          )}
        </SectionCard>
        <SharingSettings disabled={false} />
        <SectionCard titleId="mail-title" title={t`Does mail arrive?`} align="flex-start" maw={640}>
          <Text>
            <Trans>Without mail nobody can sign up. A test goes to {email}.</Trans>
          </Text>
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            {t`Send me a test`}
          </Button>
        </SectionCard>
        <LinkButton to="/admin" variant={isNamed ? 'primary' : 'default'} style={{ alignSelf: 'flex-start' }}>
          {t`Open the administration`}
        </LinkButton>
      </Stack>
    </>
  )
}
