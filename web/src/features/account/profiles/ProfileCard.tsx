import { Alert, Button, Group, Skeleton, Stack } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { User } from '#lib/session.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { ProfileView } from './ProfileView.tsx'
import { profileTexts } from './profiles.messages.ts'
import { useSaveProfile } from './profiles.mutations.ts'
import { ownProfileQuery } from './profiles.queries.ts'

/** The person's profile, to read and to edit. `social` when they sign in through a provider. */
export function ProfileCard({ user, social }: { user: User; social: boolean }) {
  const profile = useQuery(ownProfileQuery(user.id))
  const [editing, setEditing] = useState(false)
  const save = useSaveProfile(user.id, () => setEditing(false))

  return (
    <SectionCard
      titleId="profile-title"
      title="Profile"
      aside={
        <LinkAnchor to="/" style={{ display: 'flex', alignItems: 'center', gap: 4, minHeight: 44 }}>
          <IconArrowLeft size={18} aria-hidden /> Back to Home
        </LinkAnchor>
      }
    >
      <Loaded
        of={profile}
        pending={<Skeletons />}
        failed={(_problem, retry, isRetrying) => (
          <Alert color="beet" title={profileTexts.loadTitle} role="alert">
            <Stack align="flex-start" gap="sm">
              {profileTexts.loadFailed}
              <Button variant="default" loading={isRetrying} onClick={retry}>
                Try Again
              </Button>
            </Stack>
          </Alert>
        )}
      >
        {(loaded) =>
          editing ? (
            <ProfileForm
              profile={loaded}
              social={social}
              busy={save.isPending}
              onSave={(changed) => save.mutate(changed)}
              onCancel={() => setEditing(false)}
            />
          ) : (
            <ProfileView
              profile={loaded}
              email={user.email}
              fallbackAvatarUrl={user.avatarUrl}
              onEdit={() => setEditing(true)}
            />
          )
        }
      </Loaded>
    </SectionCard>
  )
}

function Skeletons() {
  return (
    <Stack gap="lg" aria-busy>
      <Group wrap="nowrap">
        <Skeleton circle height={72} />
        <Stack gap="xs" flex={1}>
          <Skeleton height={20} width="40%" />
          <Skeleton height={16} width="60%" />
        </Stack>
      </Group>
      <Skeleton height={44} width="50%" />
    </Stack>
  )
}
