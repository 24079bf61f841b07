import { Avatar, VisuallyHidden } from '@mantine/core'
import { listOf } from '#domain/lists.ts'
import { PersonAvatar } from './PersonAvatar.tsx'

interface Person {
  id: string
  name: string
  avatarUrl: string | null
}

interface AvatarStackProps {
  people: readonly Person[]
  /** The number of pictures before the rest becomes "+N". */
  most?: number
  /** In px. */
  size?: number
}

/** A few overlapping pictures of people, and how many more there are. */
export function AvatarStack({ people, most = 4, size = 34 }: AvatarStackProps) {
  const drawn = people.slice(0, most)
  const others = people.length - drawn.length
  return (
    <Avatar.Group spacing={6}>
      {drawn.map(({ id, name, avatarUrl }) => (
        <PersonAvatar key={id} name={name} src={avatarUrl} size={size} />
      ))}
      {others > 0 && (
        <Avatar size={size} radius="xl" color="gray" aria-hidden>
          +{others}
        </Avatar>
      )}
      <VisuallyHidden>{listOf(people.map(({ name }) => name))}</VisuallyHidden>
    </Avatar.Group>
  )
}
