import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { createFileRoute } from '@tanstack/react-router'
import { ChangesCard } from '#features/account/security/ChangesCard.tsx'
import { PasskeysCard } from '#features/account/security/PasskeysCard.tsx'
import { SecondFactorCard } from '#features/account/security/SecondFactorCard.tsx'
import { SessionsCard } from '#features/account/security/SessionsCard.tsx'
import { SignInsCard } from '#features/account/security/SignInsCard.tsx'
import { config } from '#lib/config.ts'
import { LinkButton } from '#ui/links.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { AccountSettings } from './-AccountSettings.tsx'

/** Settings for signing in: password, passkeys, second factor, sessions and recent changes. */
export const Route = createFileRoute('/_shell/_signed-in/account-settings/security')({ component: Security })

function Security() {
  return (
    <AccountSettings title={t`Security`}>
      {config().signInByMail && (
        <SectionCard
          titleId="password-title"
          title={t`Password`}
          gap="xs"
          aside={
            <LinkButton to="/reset-password" variant="default" leftSection={<IconKey size={18} />}>
              {t`Change password`}
            </LinkButton>
          }
        >
          <Text c="dimmed">{t`You need your current password or a code by email.`}</Text>
        </SectionCard>
      )}
      <PasskeysCard />
      <SignInsCard />
      <SecondFactorCard />
      <SessionsCard />
      <ChangesCard />
    </AccountSettings>
  )
}
