# SPDX-License-Identifier: GPL-2.0
#
# Reads known sizes, as the task "reader". Some calls fail. Prints a line "COUNT RESULT" for
# each call to the file that is its argument. The task does nothing else: perl itself has read
# files before.

use Fcntl;

my $NR_READ = 0;	# of x86_64
my $data = "/tmp/reader.data";
my @calls;

sub call {
	my ($file, $count, $address) = @_;
	my $buffer = "\0" x ($count || 1);
	my $n = syscall($NR_READ, fileno($file), $address // $buffer, $count);

	push @calls, "$count " . ($n < 0 ? -$! : $n) . "\n";
}

open(my $out, ">", $data) or die "$data: $!";
print $out "x" x 5000;
close $out;
open(my $in, "<", $data) or die "$data: $!";
open(my $closed, ">>", $data) or die "$data: $!";
open(my $dir, "<", "/tmp") or die "/tmp: $!";
pipe(my $empty, my $writer) or die "pipe: $!";
fcntl($empty, F_SETFL, O_NONBLOCK) or die "pipe: $!";

if (my $child = fork) {
	waitpid($child, 0);
	exit;
}
$0 = "reader";
for my $n (1 .. 12) {
	call($in, $n * 40);
	call($closed, $n);
	call($dir, $n * 100) if $n % 2;
	call($empty, $n + 3) if $n % 3;
	call($in, $n, 1) if $n % 4 == 0;
}
call($in, 4096) for 1 .. 3;
open(my $list, ">", $ARGV[0]) or die "$ARGV[0]: $!";
print $list @calls;
