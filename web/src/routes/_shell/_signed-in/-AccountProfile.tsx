import { t } from '@lingui/core/macro'
import { Box } from '@mantine/core'
import { ProfileCard } from '#features/account/profiles/ProfileCard.tsx'
import { TimeZoneCard } from '#features/money/payments/TimeZoneCard.tsx'
import { Level } from '#features/people/person/Level.tsx'
import { languages } from '#lib/language.ts'
import { useSession, useUser } from '#lib/session.ts'
import { SectionCard } from '#ui/SectionCard.tsx'
import { LanguageSelect } from '../../-shell/LanguageSelect.tsx'
import { AccountSettings } from './-AccountSettings.tsx'

/** The first section of the account settings: the profile. */
export function AccountProfile() {
  const user = useUser()
  const session = useSession()
  const provider = session.status === 'signed-in' ? session.session.user.app_metadata.provider : undefined
  const social = provider !== undefined && provider !== 'email'
  return (
    <AccountSettings title={t`Profile`}>
      <ProfileCard user={user} social={social} level={<Level userId={user.id} name={user.name || 'you'} />} />
      <LanguageCard userId={user.id} />
      <TimeZoneCard />
    </AccountSettings>
  )
}

/** The card in which the person chooses the language of pages and mails; renders nothing if there is only one. */
function LanguageCard({ userId }: { userId: string }) {
  if (languages.length < 2) return null
  return (
    <SectionCard titleId="language-title" title={t`Language`}>
      <Box maw={320}>
        <LanguageSelect userId={userId} quiet />
      </Box>
    </SectionCard>
  )
}
