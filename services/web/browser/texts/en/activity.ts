/** What a sentence of the activity may name. */
interface Named {
  title: string;
  former: string;
  whom: string;
  role: string;
}
type Sentence = (name: string, named: Named) => string;

const sentences = {
  'note.created': (name, { title }) => `${name} created “${title}”`,
  'note.edited': (name, { title }) => `${name} changed “${title}”`,
  'note.renamed': (name, { title, former }) => `${name} renamed “${former}” to “${title}”`,
  'note.deleted': (name, { title }) => `${name} moved “${title}” to the trash`,
  'note.restored': (name, { title }) => `${name} restored “${title}”`,
  'note.version_restored': (name, { title }) => `${name} restored a former version of “${title}”`,
  'note.shared': (name, { title }) => `${name} made “${title}” public`,
  'note.unshared': (name, { title }) => `${name} stopped sharing “${title}”`,
  'note.moved': (name, { title }) => `${name} moved “${title}” between workspaces`,
  'member.invited': (name, { role }) => `${name} invited somebody (${role})`,
  'member.joined': (name, { role }) => `${name} joined (${role})`,
  'member.removed': (name, { whom }) => `${name} removed ${whom}`,
  'member.role_changed': (name, { whom, role }) => `${name} changed the role of ${whom}: ${role}`,
  'workspace.renamed': (name, { title, former }) =>
    `${name} renamed the workspace from “${former}” to “${title}”`,
  'workspace.transferred': (name, { whom }) => `${name} made ${whom} the owner`,
  'workspace.imported': (name) => `${name} imported notes`,
  left: (name) => `${name} left`,
  erased: (name) => `${name} worked on a note that was deleted for good`,
} as const satisfies Record<string, Sentence>;

export const activity = {
  title: 'Activity',
  titleOf: (workspace: string) => `Activity · ${workspace}`,
  explanation: 'Who did what here in the last 90 days.',
  nothing: 'Nothing has happened here in the last 90 days.',
  somebody: 'Somebody',
  sentences: sentences as Record<keyof typeof sentences, Sentence>,
};
