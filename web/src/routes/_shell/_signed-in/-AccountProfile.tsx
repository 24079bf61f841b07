import { t } from '@lingui/core/macro'
import { ProfileCard } from '#features/account/profiles/ProfileCard.tsx'
import { Level } from '#features/people/person/Level.tsx'
import { useSession, useUser } from '#lib/session.ts'
import { AccountSettings } from './-AccountSettings.tsx'
import { LanguageCard } from './-LanguageCard.tsx'

/** The first section of the account settings: who the signed-in person is. */
export function AccountProfile() {
  const user = useUser()
  const session = useSession()
  const provider = session.status === 'signed-in' ? session.session.user.app_metadata.provider : undefined
  const social = provider !== undefined && provider !== 'email'
  return (
    <AccountSettings title={t`Profile`}>
      <ProfileCard user={user} social={social} level={<Level userId={user.id} name={user.name || 'you'} />} />
      <LanguageCard userId={user.id} />
    </AccountSettings>
  )
}
